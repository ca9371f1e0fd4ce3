/* How the checker tells a native program to serve, see replay_runtime.c. */
#ifndef PENUMBRA_CHECK_SERVE_H
#define PENUMBRA_CHECK_SERVE_H

#define SERVE_ARGUMENT "--serve"

#endif
