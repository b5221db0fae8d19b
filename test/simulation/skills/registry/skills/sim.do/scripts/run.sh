#!/bin/sh
# Never started: a child of the simulated world plays it.
exit 9
