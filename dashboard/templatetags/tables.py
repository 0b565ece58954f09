"""The tags that draw a declared table: `{% table rows caption=… %}{% cell "pod" %}…{% endcell %}{% endtable %}`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django import template
from django.utils.html import conditional_escape, format_html
from django.utils.safestring import SafeString, mark_safe

from clusters.wording.amounts import grouped

if TYPE_CHECKING:
    from collections.abc import Callable

    from django.template.base import FilterExpression, NodeList, Parser, Token

    from dashboard.lists.columns import DataColumn, TableRows

register = template.Library()


class CellNode(template.Node):
    """The markup of one column's cells; the table around it draws them."""

    def __init__(self, column: str, nodelist: NodeList) -> None:
        self.column = column
        self.nodelist = nodelist


@register.tag
def cell(parser: Parser, token: Token) -> CellNode:
    """Read the markup of the cells of a column, which sees `row` and the page's context."""
    _, column = token.split_contents()
    nodelist = parser.parse(("endcell",))
    parser.delete_first_token()
    return CellNode(column.strip("\"'"), nodelist)


class TableNode(template.Node):
    """A table of declared columns; a column without a cell of its own shows its value."""

    def __init__(self, rows: FilterExpression, values: dict[str, FilterExpression], cells: dict[str, NodeList]) -> None:
        self._rows = rows
        self._values = values
        self._cells = cells

    def render(self, context: template.Context) -> SafeString:
        shown: TableRows[Any] = self._rows.resolve(context)
        values = {name: value.resolve(context) for name, value in self._values.items()}
        engine = context.template.engine  # type: ignore[union-attr]
        headings = context.new({"target": "#results", **values, "headings": shown.headings})
        head = engine.get_template("_components/headings.html").render(headings)
        drawn = [self._drawn(column, is_head=column.name == shown.table.heads) for column in shown.columns]
        body = ["<tbody>"]
        with context.push():
            for row in shown:
                context["row"] = row
                body.append(format_html('<tr data-key="{}">', shown.table.key(row)))
                body += [draw(context) for draw in drawn]
                body.append("</tr>")
        body.append("</tbody>")
        content = mark_safe(head + "".join(body))  # noqa: S308 - each part is escaped
        return engine.get_template("_components/table.html").render(
            context.new({"stack": True, **values, "content": content})
        )

    def _drawn(self, column: DataColumn[Any], *, is_head: bool) -> Callable[[template.Context], str]:
        """Return what draws the cells of a column."""
        css = format_html(' class="{}"', column.classes) if column.classes else ""
        label = format_html(' data-column="{}"', column.label or column.heading)
        before, after = ('<th scope="row">', "</th>") if is_head else (f"<td{css}{label}>", "</td>")
        nodelist = self._cells.get(column.name)

        def draw(context: template.Context) -> str:
            if nodelist is None:
                return f"{before}{_text(column, context['row'])}{after}"
            # In a row that became a block, what stands in a cell stands together beside its label.
            content = nodelist.render(context).strip()
            return f"{before}{content}{after}" if is_head or not content else f"{before}<div>{content}</div>{after}"

        return draw


def _text(column: DataColumn[Any], row: Any) -> str:
    value = None if column.value is None else column.value(row)
    if value is None or value == "":
        return "–"
    return grouped(value) if isinstance(value, int) else conditional_escape(value)


@register.tag
def table(parser: Parser, token: Token) -> TableNode:
    """Read a table: its rows, what `_components/table.html` and `headings.html` are told, and its cells."""
    _, rows, *bits = token.split_contents()
    pairs = [bit.split("=", 1) for bit in bits]
    nodelist = parser.parse(("endtable",))
    parser.delete_first_token()
    cells = {node.column: node.nodelist for node in nodelist if isinstance(node, CellNode)}
    return TableNode(parser.compile_filter(rows), {name: parser.compile_filter(value) for name, value in pairs}, cells)
