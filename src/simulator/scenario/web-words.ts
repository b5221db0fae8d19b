/** The page of a web view in a scenario: the view says which page it shows, and nodes inside of it which elements they are. */
import * as v from 'valibot'
import { closedObject, keyedBy } from '../../contracts/json/objects.ts'
import { Name, ShownText } from './field-schemas.ts'

const AttributeName = v.pipe(v.string(), v.regex(/^[a-z][\w-]{0,100}$/, 'must be the name of an attribute'))
const TagName = v.pipe(v.string(), v.regex(/^[a-z][a-z0-9-]{0,40}$/, 'must be a tag such as div'))

/** Words of a node that is a web view. */
export const PageWord = closedObject({
  title: v.exactOptional(ShownText, ''),
  url: v.exactOptional(ShownText, 'https://example.com/'),
  /** False: the app does not let its web views be inspected. */
  debuggable: v.exactOptional(v.boolean(), true),
})
export type PageWord = v.InferOutput<typeof PageWord>

/** Words of a node inside of a web view with a page. */
export const ElementWord = closedObject({
  /** Left out, it follows from the class of the node. */
  tag: v.exactOptional(TagName),
  id: v.exactOptional(Name),
  /** One or more, with blanks between them. */
  class: v.exactOptional(Name),
  attributes: v.exactOptional(keyedBy(AttributeName, ShownText), () => ({})),
  /** False: the accessibility tree does not have it, only the page. What is inside of it stays. */
  accessible: v.exactOptional(v.boolean(), true),
})
export type ElementWord = v.InferOutput<typeof ElementWord>
