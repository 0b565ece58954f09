"""The Kubernetes API's schema of a Pod, and documents held against it."""
