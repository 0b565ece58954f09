"""What commands print around the sentences that the pages show too, and what is wrong with how they are called."""
