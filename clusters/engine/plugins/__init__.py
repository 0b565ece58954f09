"""kube-scheduler's in-tree plugins, one module each, named as upstream names them."""
