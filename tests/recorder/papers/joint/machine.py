"""Must be switched on before it is given something to do."""

initialized = False
job = None


def switch_on():
    global initialized
    initialized = True  # writes: machine.initialized


def give(new_job):
    global job
    if not initialized:  # reads: machine.initialized
        switch_on()
    job = new_job  # writes: machine.job


def work():
    assert initialized  # reads: machine.initialized
    return f"{job} done"  # reads: machine.job
