/** The thread in which large hierarchies are read; a bundle of its own. */
export { readScreen } from './read-screen.ts'
