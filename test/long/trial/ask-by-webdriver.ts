/** A caller that is a WebDriver client: a session of its own, the row found in it and clicked, by plain HTTP. */
import { call, type Answer as HttpAnswer } from '../../support/http/http-client.ts'
import { type Answer, broken } from './answer.ts'
import type { Step } from './plan.ts'
import type { Server } from './server.ts'

const ELEMENT_KEY = 'element-6066-11e4-a52e-4f735466cecf'
/** A session that its client has lost is over after this. */
const IDLE_S = 5

interface Value {
  sessionId?: string
  [ELEMENT_KEY]?: string
  data?: { code?: string; executionId?: string; dispatched?: boolean | 'unknown' }
  error?: string
  message?: string
}

const saidIn = ({ json }: HttpAnswer): Value => ((json as { value?: Value | null } | undefined)?.value ?? {}) as Value

/** Before the click nothing was asked for that changes anything. */
const before = (code: string, message?: string): Answer => ({ kind: 'answered', claim: 'did-not', code, message })

const CLAIMS = { true: 'doubt', false: 'did-not', unknown: 'doubt' } as const

const clickAnswer = (answer: HttpAnswer): Answer => {
  const header = answer.headers['svc-execution-id']
  const named = typeof header === 'string' ? header : undefined
  if (answer.status === 200) return { kind: 'answered', claim: 'did', executionId: named }
  const { data = {}, error, message } = saidIn(answer)
  const { code = error, executionId = named, dispatched = 'unknown' } = data
  return { kind: 'answered', claim: CLAIMS[`${dispatched}`], code, executionId, message }
}

const clickIn = async (session: string, command: string): Promise<Answer> => {
  const locator = { using: 'xpath', value: `//*[@text='${command}']` }
  const found = await call(`${session}/element`, { body: locator }).catch(broken)
  if ('kind' in found) return { ...found, claim: 'did-not' }
  const element = saidIn(found)[ELEMENT_KEY]
  const { data, error, message } = saidIn(found)
  if (element === undefined) return before(data?.code ?? error ?? 'NO_ELEMENT', message)
  try {
    return clickAnswer(await call(`${session}/element/${element}/click`, { body: {} }))
  } catch (error) {
    return broken(error)
  }
}

export const askByWebDriver = async ({ command }: Step, serial: string, { url }: Server): Promise<Answer> => {
  const wish = { platformName: 'Android', 'appium:udid': serial, 'appium:newCommandTimeout': IDLE_S }
  const created = await call(`${url}/session`, { body: { capabilities: { alwaysMatch: wish } } }).catch(broken)
  if ('kind' in created) return { ...created, claim: 'did-not' }
  const { sessionId, data, error, message } = saidIn(created)
  if (sessionId === undefined) return before(data?.code ?? error ?? 'NO_SESSION', message)
  const session = `${url}/session/${sessionId}`
  try {
    return await clickIn(session, command)
  } finally {
    await call(session, { method: 'DELETE' }).catch(() => {})
  }
}
