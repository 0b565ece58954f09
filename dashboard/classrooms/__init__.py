"""Classrooms: a trainer gives lessons to participants, who have no account and reach nothing else."""
