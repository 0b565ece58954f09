"""The forms from which simulations and studies are put together: labels, hints, choices and errors."""
