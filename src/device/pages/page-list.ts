/** The pages that an inspector lists, as far as they are needed to read them. */
import * as v from 'valibot'
import type { Bounds } from '../../contracts/device/ui-tree.ts'
import { parsedJson } from '../../contracts/json/json.ts'
import type { LinkSocket } from '../link/link.ts'
import { httpGet } from './http-answer.ts'
import { PageProblem } from './page-problem.ts'

export interface ListedPage {
  socket: string
  /** The inspector's name for it. */
  id: string
  url: string
  /** The address of its WebSocket; undefined where another debugger is attached and it takes no second one. */
  target: string | undefined
  title: string
  /** The rectangle of its web view on the screen, where the inspector says it. */
  bounds: Bounds | undefined
  /** False for a page that its web view does not show. */
  isShown: boolean
  /** The inspector describes the page of a web view in JSON. */
  description: string
}

const ListEntry = v.object({
  type: v.string(),
  id: v.optional(v.string(), ''),
  title: v.optional(v.string(), ''),
  url: v.optional(v.string(), ''),
  description: v.optional(v.string(), ''),
  webSocketDebuggerUrl: v.optional(v.string()),
})
const List = v.array(v.unknown())

/** A web view describes itself in JSON; a tab of a browser says nothing here. */
const Description = v.object({
  attached: v.optional(v.boolean(), true),
  empty: v.optional(v.boolean(), false),
  visible: v.optional(v.boolean(), true),
  screenX: v.pipe(v.number(), v.integer()),
  screenY: v.pipe(v.number(), v.integer()),
  width: v.pipe(v.number(), v.integer()),
  height: v.pipe(v.number(), v.integer()),
})

const PAGE_TYPES = ['page', 'webview']
const WEBSOCKET_TARGET = /^ws:\/\/[^/]{0,300}(\/devtools\/page\/[\w-]{1,200})$/

const pageOf = (socket: string, entry: unknown): ListedPage[] => {
  const read = v.safeParse(ListEntry, entry)
  if (!read.success || !PAGE_TYPES.includes(read.output.type)) return []
  const { id, title, url, description, webSocketDebuggerUrl } = read.output
  const described = v.safeParse(Description, parsedJson(description))
  const target = WEBSOCKET_TARGET.exec(webSocketDebuggerUrl ?? '')?.[1]
  const page = { socket, id, target, title, url, description }
  if (!described.success) return [{ ...page, bounds: undefined, isShown: true }]
  const { attached, empty, visible, screenX: left, screenY: top, width, height } = described.output
  const isShown = attached && !empty && visible && width > 0 && height > 0
  return [{ ...page, bounds: { left, top, right: left + width, bottom: top + height }, isShown }]
}

export const readPageList = (socket: string, text: string): ListedPage[] => {
  const read = v.safeParse(List, parsedJson(text))
  if (!read.success) throw new PageProblem('its list of pages cannot be read')
  return read.output.flatMap(entry => pageOf(socket, entry))
}

export const listPages = async (socket: LinkSocket, name: string): Promise<ListedPage[]> =>
  readPageList(name, await httpGet(socket, '/json'))
