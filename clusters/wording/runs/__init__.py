"""What people read about simulations: one module for each part of their pages."""
