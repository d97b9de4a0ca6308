"""Every public call with wrong arguments: what is tried (`pool`), on what (`calls`), and how it is run (`run`)."""
