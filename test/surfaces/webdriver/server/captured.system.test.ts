/** Requests of a WebDriver client to builds of svc, sent to today's server: the same statuses, and all that answers had then. */
import { describe, expect, test } from 'vitest'
import { defaultScenario } from '../../../../src/simulator/scenario/default/apps.ts'
import { missingParts } from '../../../support/http/missing-parts.ts'
import { perTest } from '../../../support/per-test.ts'
import { captured, capturesOf } from '../../../support/runtime/captured.ts'
import { elementIdIn, startWebDriverLab } from '../../../support/webdriver/webdriver-lab.ts'

interface Exchange {
  method: string
  path: string
  body?: object
  status: number
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into whatever it expects
  answer: { value: any }
}
const ELEMENT = 'element-6066-11e4-a52e-4f735466cecf'

const labOf = perTest(startWebDriverLab)
const builds = capturesOf('webdriver')
test('there are captures', () => expect(builds.length).toBeGreaterThan(0))

describe.each(builds)('a client of %s', build => {
  test('is answered as it was then', async () => {
    const { exchanges } = captured<{ exchanges: Exchange[] }>(build, 'webdriver')
    const lab = await labOf({ scenario: defaultScenario() })
    let [session, element] = ['', '']
    for (const { method, path, body, status, answer } of exchanges) {
      const target = path.replace('{session}', session).replace('{element}', element)
      const reply = await lab.ask(method, target, body)
      const what = `${method} ${path}`
      expect(reply.status, `${what}: ${JSON.stringify(reply.value)}`).toBe(status)
      expect(missingParts(answer.value, reply.value), what).toEqual([])
      expect(reply.value?.error, what).toBe(answer.value?.error)
      if (typeof answer.value === 'string') expect(reply.value, what).toBe(answer.value)
      if (path === '/session') session = reply.value.sessionId
      if (element === '' && status === 200 && answer.value?.[ELEMENT]) element = elementIdIn(reply)
    }
  })
})
