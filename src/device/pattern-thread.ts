/** The thread in which patterns of callers are matched; a bundle of its own. */
export { matchPattern } from './screen/patterns/pattern.ts'
