/** The places of a web page and its elements: the application, the page by the id of its inspector, the frames, the handle. */
import * as v from 'valibot'
import { closedObject } from '../json/objects.ts'
import { visibleText } from '../json/scalars.ts'

export const PAGE_ID_CHARS_MAX = 200
/** Frames within frames. */
export const PAGE_FRAMES_MAX = 8
const APPLICATION_ID_CHARS_MAX = 255
const HANDLE_CHARS_MAX = 64
export const PAGE_LABEL_CHARS_MAX = 100

export const PageId = v.pipe(
  v.string(),
  v.maxLength(PAGE_ID_CHARS_MAX),
  v.regex(/^[\w-]+$/, 'must be the id of a page, as its inspector lists it'),
)

/** The document that an element is in, and its number there. Pages give them out, and know them while they are shown. */
export const PageHandle = v.pipe(
  v.string(),
  v.maxLength(HANDLE_CHARS_MAX),
  v.regex(/^[\w-]+:\d{1,12}$/, 'must be the handle of an element, as read_page answers it'),
)

/** A name for people, such as the selector that found the element: receipts and lists show it, and nothing else reads it. */
export const PageLabel = visibleText(PAGE_LABEL_CHARS_MAX)

export const PageApplication = visibleText(APPLICATION_ID_CHARS_MAX)

/** The handles of the frames from the outermost to the one that is meant; left out for the page itself. */
export const PageFrames = v.pipe(v.array(PageHandle), v.maxLength(PAGE_FRAMES_MAX))

export const PageElement = closedObject({
  applicationId: PageApplication,
  page: PageId,
  frames: v.exactOptional(PageFrames),
  element: PageHandle,
  label: v.exactOptional(PageLabel),
})
export type PageElement = v.InferOutput<typeof PageElement>
