/** Section WebDriver: its paths below `/` and `/wd/hub`, whose requests and answers have the form of that protocol. */

import { isUtf8 } from 'node:buffer'
import { METHODS as ALL_METHODS } from 'node:http'
import type { Context } from 'hono'
import { EXECUTION_ID_HEADER } from '../../../contracts/doors/headers.ts'
import {
  type BodyRead,
  WEBDRIVER_BODIES_BYTES,
  WEBDRIVER_BODY_BYTES,
  type WireAnswer,
} from '../../webdriver/protocol/wire.ts'
import { leaving } from '../caller-left.ts'
import { isLoopbackAddress } from '../guard.ts'
import type { App, AppParts, HttpEnv, RouteModule } from '../module.ts'
import { pathOfTarget } from '../refusal-form.ts'
import { encodingProblem, isAbsentBody, mediaTypeProblem, readBodyBytes } from '../request-input.ts'

// The bytes of all bodies that are held at once are bounded: each request takes a share while its body arrives.

interface BodyShare {
  /** False when there is no room for so many bytes more. */
  take(bytes: number): boolean
  /** True once bytes were refused. */
  isRefused(): boolean
  /** For when the request is answered: until then its body is held, even if its client has left. */
  giveBack(): void
}

export const createBodyRoom = (most: number) => {
  let held = 0
  return (): BodyShare => {
    let ownBytes = 0
    let refused = false
    const giveBack = () => {
      held -= ownBytes
      ownBytes = 0
    }
    return {
      take(bytes) {
        if (held + bytes > most) {
          refused = true
          // The rest of a refused body is dropped, so its beginning is held no more.
          giveBack()
          return false
        }
        held += bytes
        ownBytes += bytes
        return true
      },
      isRefused: () => refused,
      giveBack,
    }
  }
}

/** Each method is named: a wrong one is an answer of the protocol, too. */
const METHODS = ALL_METHODS.filter(method => !['HEAD', 'OPTIONS', 'CONNECT'].includes(method))
/** Beside the API, whose routes have other paths. */
const OWN_PATHS = ['/status', '/session', '/session/*', '/sessions', '/appium/*', '/wd/hub', '/wd/hub/*']

const ANSWER_HEADERS = { 'Content-Type': 'application/json; charset=utf-8', 'Cache-Control': 'no-cache' }

const readWireBody = async (
  { env: { incoming } }: Context<HttpEnv>,
  { clock }: AppParts,
  share: BodyShare,
): Promise<BodyRead> => {
  const { headers } = incoming
  // A page of another origin can send other types, and no JSON, without having been let in before.
  const typeProblem = isAbsentBody(incoming) ? undefined : mediaTypeProblem(headers['content-type'])
  const problem = typeProblem ?? encodingProblem(headers['content-encoding'])
  if (problem) return { kind: 'broken', problem: `${problem.message} ${problem.hint ?? ''}`.trim() }
  const read = await readBodyBytes(incoming, clock, WEBDRIVER_BODY_BYTES, share.take)
  if (share.isRefused()) return { kind: 'no-room' }
  if (read.kind === 'too-large') return read
  if (read.kind === 'cut') return { kind: 'broken', problem: 'The body ended before it was complete.' }
  if (!isUtf8(read.bytes)) return { kind: 'broken', problem: 'The body is not valid UTF-8.' }
  return { kind: 'whole', text: read.bytes.toString() }
}

const pathOf = ({ env: { incoming } }: Context<HttpEnv>): string => pathOfTarget(incoming.url ?? '')

const responseOf = ({ status, json, executionId }: WireAnswer): Response =>
  new Response(json, {
    status,
    headers: { ...ANSWER_HEADERS, ...(executionId === undefined ? {} : { [EXECUTION_ID_HEADER]: executionId }) },
  })

const mountPaths = (
  app: App,
  parts: AppParts,
  paths: readonly string[],
  methods: readonly string[] = METHODS,
): void => {
  const { webDriver } = parts
  if (!webDriver) return
  const room = createBodyRoom(WEBDRIVER_BODIES_BYTES)
  for (const path of paths)
    app.on([...methods], path, async c => {
      const share = room()
      const { incoming } = c.env
      const isElsewhere = !isLoopbackAddress(incoming.socket?.remoteAddress ?? '')
      const answer = (await webDriver()).answer({
        method: c.req.method,
        path: pathOf(c),
        readBody: () => readWireBody(c, parts, share),
        leave: leaving(c.env),
        ...(isElsewhere ? { fileRoots: parts.fileRoots ?? [] } : {}),
      })
      return responseOf(await answer.finally(share.giveBack))
    })
}

export const webDriverRoutes: RouteModule = {
  mount: (app, parts) => mountPaths(app, parts, OWN_PATHS),
}

/** On a server for WebDriver alone, a path that nobody knows is answered in its form. */
export const mountWebDriverAlone = (app: App, parts: AppParts): void =>
  mountPaths(app, parts, ['*'], [...METHODS, 'OPTIONS'])
