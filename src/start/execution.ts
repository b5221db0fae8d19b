/** The root of a command that executes by itself: the build bundles it without all that only servers and simulators load. */
export { createServices } from './command.ts'
