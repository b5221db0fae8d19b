/** The thread in which XPath expressions are evaluated; a bundle of its own. */
export { evaluateXPath } from './evaluate-xpath.ts'
