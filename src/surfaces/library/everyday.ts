/** The everyday calls of a phone in short words. Those that share their name with an action take its params as well. */
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import type { Executor } from './execution.ts'
import type { Answer, ClickParams, DoubleTapParams, DragParams, ScrollParams, SwipeParams } from './generated/shapes.ts'
import type { CallOptions } from './options.ts'
import type { Perform } from './phone.ts'
import { matcherOf, type Node, type Point, placeOf, type Target } from './target.ts'

type Direction = 'down' | 'up' | 'left' | 'right'
type Data<Keys extends string> = Promise<Answer<Record<Keys, string>>>

export interface WaitOptions extends CallOptions {
  /** Waits until no such node is on the screen. */
  gone?: boolean | undefined
  /** How long to look for the node, in ms: 1 to 120,000, default 10,000. */
  timeoutMs?: number | undefined
}

export interface SnapshotOptions extends CallOptions {
  /** `compact` has refs, which other calls take; `xml` (default) is the hierarchy of Android. */
  format?: 'xml' | 'compact' | undefined
  /** The execution whose screen is known: only what has changed since is told. */
  since?: string | undefined
}

export interface ScreenshotOptions extends CallOptions {
  /** A file of this machine, which is written or replaced. */
  path?: string | undefined
}

/** A picture as PNG, and the path where it was written, if there was one. */
export interface Screenshot {
  executionId: string
  data: { path?: string; png: Uint8Array }
}

export interface EverydayMethods {
  /** Opens an application by its package name, or a URI in the application that handles it. */
  open(target: string, options?: CallOptions): Promise<Answer<{ [key: string]: string }>>
  /** Closes an application. */
  close(applicationId: string, options?: CallOptions): Data<'application_id'>
  click(target: Target | ClickParams, options?: CallOptions): Data<'click_type'>
  doubleTap(target: Target | DoubleTapParams, options?: CallOptions): Promise<Answer<{ [key: string]: string }>>
  longPress(target: Target, options?: CallOptions): Data<'click_type'>
  /** Types into a field, or into the one that has the focus. */
  type(text: string, target?: Node, options?: CallOptions): Data<'text' | 'submit' | 'text_length'>
  /** Reads the text of a node. */
  read(target: Node, options?: CallOptions): Data<'text' | 'count'>
  /** Waits until a node is on the screen, or gone. */
  wait(target: Node, options?: WaitOptions): Promise<Answer<{ [key: string]: string }>>
  /** Presses a key such as `enter`, `home` or `volume_up`. */
  press(key: string, options?: CallOptions): Data<'key'>
  back(options?: CallOptions): Data<'key'>
  swipe(from: Point, to: Point, options?: CallOptions): Data<'duration_ms'>
  swipe(params: SwipeParams, options?: CallOptions): Data<'duration_ms'>
  /** Scrolls once; down where nothing is said. */
  scroll(direction?: Direction | ScrollParams, options?: CallOptions): Data<'scroll_outcome' | 'direction'>
  drag(from: Target, to: Target, options?: CallOptions): Promise<Answer<{ [key: string]: string }>>
  drag(params: DragParams, options?: CallOptions): Promise<Answer<{ [key: string]: string }>>
  snapshot(options?: SnapshotOptions): Data<'text' | 'foreground_package'>
  screenshot(options?: ScreenshotOptions): Promise<Screenshot>
}

const SCHEME = /^[a-z][a-z0-9+.-]*:/i
/** The params of an action, where a target would have none of these. */
const PARAMS: readonly string[] = ['matcher', 'coordinate', 'point', 'start', 'end', 'direction', 'from', 'container']
const isParams = (candidate: unknown): candidate is object =>
  typeof candidate === 'object' && candidate !== null && PARAMS.some(key => key in candidate)

const touchOf = (target: Target | object) => (isParams(target) ? target : placeOf(target as Target))

const PNG_STEP = 'step-1'

/** @internal */
export const createEverydayMethods = ({ ask }: Executor, perform: Perform): EverydayMethods => {
  const call = perform as (...args: Parameters<Perform>) => Promise<never>
  /** A target that is none rejects, as every other failure does. */
  const placing = async (type: string, params: () => object, options: CallOptions | undefined): Promise<never> =>
    call(type, params(), options)

  const pictureOf = async (executionId: string): Promise<Uint8Array> =>
    ask('executions.picture', { executionId, step: PNG_STEP }, { isContinued: true })

  return {
    open: (target, options) =>
      SCHEME.test(String(target).trim())
        ? call('open_uri', { uri: target }, options)
        : call('open_app', { applicationId: target }, options),
    close: (applicationId, options) => call('close_app', { applicationId }, options),
    click: (target, options) => placing('click', () => touchOf(target), options),
    doubleTap: (target, options) => placing('double_tap', () => touchOf(target), options),
    longPress: (target, options) => placing('click', () => ({ ...placeOf(target), clickType: 'long_click' }), options),
    type: (text, target, options) =>
      placing('enter_text', () => ({ text, ...(target === undefined ? {} : { matcher: matcherOf(target) }) }), options),
    read: (target, options) => placing('read_text', () => ({ matcher: matcherOf(target) }), options),
    wait: (target, { gone, timeoutMs, ...options } = {}) => {
      const more = { ...(timeoutMs === undefined ? {} : { timeoutMs }), ...(gone ? { state: 'gone' } : {}) }
      return placing('wait_for_node', () => ({ matcher: matcherOf(target), ...more }), options)
    },
    press: (key, options) => call('press_key', { key }, options),
    back: options => call('press_key', { key: 'back' }, options),
    swipe: (from: Point | SwipeParams, to?: Point | CallOptions, options?: CallOptions) =>
      isParams(from)
        ? call('swipe', from, to as CallOptions | undefined)
        : call('swipe', { start: from, end: to }, options),
    scroll: (direction = 'down', options) =>
      call('scroll', typeof direction === 'string' ? { direction } : direction, options),
    drag: (from: Target | DragParams, to?: Target | CallOptions, options?: CallOptions) =>
      isParams(from)
        ? call('drag', from, to as CallOptions | undefined)
        : placing('drag', () => ({ from: placeOf(from as Target), to: placeOf(to as Target) }), options),
    snapshot: ({ format, since, ...options } = {}) => call('snapshot', undefined, options, { format, since }),
    async screenshot({ path, ...options } = {}) {
      const { executionId } = await perform('take_screenshot', undefined, options)
      const png = await pictureOf(executionId)
      if (path === undefined) return { executionId, data: { png } }
      const file = resolve(path)
      await mkdir(dirname(file), { recursive: true })
      await writeFile(file, png)
      return { executionId, data: { path: file, png } }
    },
  }
}
