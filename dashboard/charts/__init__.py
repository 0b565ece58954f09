"""Charts that people explore: figures of plotly.graph_objects; colours are references to tokens."""
