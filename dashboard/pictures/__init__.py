"""Pictures: SVG that the server draws, and the data of what the browser draws on a canvas; for pages and reports."""
