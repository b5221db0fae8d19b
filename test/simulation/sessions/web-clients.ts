/** Clients of WebDriver: each opens a session, sends its commands one after the other, and ends it, falls silent or is killed. */
import type { SendRequest } from '../host/clients.ts'
import type { Processes } from '../host/processes.ts'
import type { PhoneHost } from '../phone/phone.ts'
import type { Place } from '../plan/plan.ts'
import type { Owner, Scheduler } from '../scheduler.ts'
import type { PlannedCommand, SessionAsk } from './plan.ts'

const APP = 'com.example.counter'
const ELEMENT_KEY = 'element-6066-11e4-a52e-4f735466cecf'
const MS_PER_S = 1_000
const OPENINGS_MAX = 4
const OPEN_AGAIN_MS = 700
const DELETE_AGAIN_MS = 500
const DELETES_MAX = 3

export interface WireValue {
  readonly sessionId?: string
  readonly error?: string
  readonly message?: string
  readonly data?: { readonly code?: string; readonly dispatched?: boolean | 'unknown' }
  readonly [key: string]: unknown
}

/** Absent where no answer came: nobody listened, or the process died. */
export type Reply = { readonly status: number; readonly value: WireValue | null } | undefined

/** A click as its client knows of it. */
export interface Click {
  readonly row: number
  readonly sessionId: string
  /** Sent after the session was deleted. */
  readonly isLate: boolean
  reply?: Reply
}

export interface HadSession {
  readonly sessionId: string
  readonly place: Place
  /** Answered with success, in virtual ms. */
  deletedAt?: number
}

export interface WebFacts {
  readonly clicks: readonly Click[]
  readonly sessions: readonly HadSession[]
  /** What was asked in the calm and was not answered with success. */
  readonly refusals: readonly string[]
}

interface ClientsOptions {
  scheduler: Scheduler
  processes: () => Processes
  phones: readonly PhoneHost[]
  send: SendRequest
  say(text: string): void
}

interface WireAsk {
  client: Owner
  place: Place
  method: string
  path: string
  body?: object | undefined
  leave?: AbortSignal
}

export const createWebClients = ({ scheduler, processes, phones, send, say }: ClientsOptions) => {
  const clicks: Click[] = []
  const sessions: HadSession[] = []
  const refusals: string[] = []

  const pause = (client: Owner, ms: number) =>
    new Promise<void>(resolve => void scheduler.post(client, ms, 'goes on', resolve))

  const ask = ({ client, place, method, path, body = {}, leave }: WireAsk): Promise<Reply> =>
    new Promise(resolve => {
      const text = JSON.stringify(body)
      send(
        client,
        place,
        `${method} ${path}`,
        async () => {
          const webDriver = await processes().lifeAt(place)?.services.webDriver()
          const answer = await webDriver?.answer({
            ...{ method, path, readBody: async () => ({ kind: 'whole', text }) as const },
            ...(leave ? { leave } : {}),
          })
          return { ok: true as const, value: answer }
        },
        (_, said, isOk) => {
          const read = isOk ? (JSON.parse(said) as { value?: { status: number; json: string } }).value : undefined
          const reply = read && { status: read.status, ...(JSON.parse(read.json) as { value: WireValue | null }) }
          const { error, message } = reply?.value ?? {}
          say(`${client.name}: ${method} ${path}: ${reply ? `${reply.status} ${error ?? ''} ${message ?? ''}` : said}`)
          resolve(reply)
        },
      )
    })

  const capabilitiesOf = (phone: number | undefined, idleMs: number) => ({
    capabilities: {
      alwaysMatch: {
        platformName: 'Android',
        'appium:noReset': true,
        'appium:appPackage': APP,
        'appium:newCommandTimeout': idleMs / MS_PER_S,
        ...(phone === undefined ? {} : { 'appium:udid': phones[phone]?.serial }),
      },
    },
  })

  const asker = (client: Owner, place: Place, leave?: AbortSignal) => (method: string, path: string, body?: object) =>
    ask({ client, place, method, path, body, ...(leave ? { leave } : {}) })
  type Asker = ReturnType<typeof asker>

  const find = async (to: Asker, sessionId: string, row: number): Promise<string | undefined> => {
    const value = `new UiSelector().text("tap-${row}")`
    const found = await to('POST', `/session/${sessionId}/element`, { using: '-android uiautomator', value })
    return found?.status === 200 ? String(found.value?.[ELEMENT_KEY]) : undefined
  }

  const click = async (to: Asker, sessionId: string, row: number, element: string, isLate = false): Promise<Reply> => {
    const one: Click = { row, sessionId, isLate }
    clicks.push(one)
    one.reply = await to('POST', `/session/${sessionId}/element/${element}/click`)
    return one.reply
  }

  const perform = async (to: Asker, sessionId: string, command: PlannedCommand): Promise<void> => {
    switch (command.kind) {
      case 'click': {
        const element = await find(to, sessionId, command.row)
        if (element !== undefined) await click(to, sessionId, command.row, element)
        return
      }
      case 'miss':
        return void (await to('POST', `/session/${sessionId}/element`, { using: 'id', value: 'nothing' }))
      case 'back':
        await to('POST', `/session/${sessionId}/back`)
        return void (await to('POST', `/session/${sessionId}/appium/device/activate_app`, { appId: APP }))
    }
  }

  const open = async (to: Asker, place: Place, body: object): Promise<HadSession | undefined> => {
    const created = await to('POST', '/session', body)
    const sessionId = created?.value?.sessionId
    if (created?.status !== 200 || sessionId === undefined) return undefined
    const had: HadSession = { sessionId, place }
    sessions.push(had)
    return had
  }

  const remove = async (client: Owner, to: Asker, had: HadSession): Promise<boolean> => {
    for (let tries = 0; tries < DELETES_MAX; tries += 1) {
      const deleted = await to('DELETE', `/session/${had.sessionId}`)
      if (deleted?.status === 200) {
        had.deletedAt = scheduler.now()
        return true
      }
      if (deleted === undefined || deleted.status === 404) return false
      await pause(client, DELETE_AGAIN_MS)
    }
    return false
  }

  const play = async (client: Owner, one: SessionAsk, leave: AbortSignal): Promise<void> => {
    const left = [...one.commands]
    for (let openings = 0; openings < OPENINGS_MAX; openings += 1) {
      const place = openings % 2 === 0 ? one.place : one.otherPlace
      const to = asker(client, place, leave)
      const had = await open(to, place, capabilitiesOf(one.phone, one.idleMs))
      if (!had) {
        await pause(client, OPEN_AGAIN_MS)
        continue
      }
      const { sessionId } = had
      if (one.implicitMs > 0) await to('POST', `/session/${sessionId}/timeouts`, { implicit: one.implicitMs })
      const late = await find(to, sessionId, one.lateRow)
      for (let command = left.shift(); command; command = left.shift()) {
        await pause(client, command.afterMs)
        const done = perform(to, sessionId, command)
        if (left.length === 0 && one.deletesDuringLastMs !== undefined) await pause(client, one.deletesDuringLastMs)
        else await done
      }
      if (one.end.kind === 'silent') return
      if ((await remove(client, to, had)) && late !== undefined)
        return void (await click(to, sessionId, one.lateRow, late, true))
    }
  }

  /** Its process is gone: the server sees that its connections end, and hears nothing more. */
  const kill = (client: Owner, one: SessionAsk, leave: AbortController) => {
    client.isDead = true
    say(`${client.name} is killed`)
    for (const place of [one.place, one.otherPlace]) {
      const life = processes().lifeAt(place)
      if (life) scheduler.post(life.owner, 1, `${client.name} has left`, () => leave.abort('left'))
    }
  }

  return {
    begin(harness: Owner, one: SessionAsk, index: number): void {
      const client = scheduler.owner(`client ${index}`)
      const leave = new AbortController()
      scheduler.post(client, one.at, 'begins', () => void play(client, one, leave.signal))
      const { end } = one
      if (end.kind === 'killed') scheduler.post(harness, one.at + end.afterMs, 'kills', () => kill(client, one, leave))
    },
    /** In the calm: a session on this phone clicks once and ends, and none is left at the process. */
    async probe(phone: number, place: Place, row: number): Promise<void> {
      const client = scheduler.owner(`probe of phone ${phone} at p${place.process}`)
      const to = asker(client, place)
      const isListed = await to('GET', '/sessions')
      if (JSON.stringify(isListed?.value) !== '[]') refusals.push(`${client.name}: sessions are left`)
      const had = await open(to, place, capabilitiesOf(phone, 0))
      const element = had && (await find(to, had.sessionId, row))
      const clicked = had && element !== undefined ? await click(to, had.sessionId, row, element) : undefined
      const isDeleted = had && (await remove(client, to, had))
      if (clicked?.status !== 200 || !isDeleted)
        refusals.push(`${client.name}: ${had ? `click ${clicked?.status}, deleted ${isDeleted}` : 'no session'}`)
    },
    facts: (): WebFacts => ({ clicks, sessions, refusals }),
  }
}
