import { describe, expect, test } from 'vitest'
import { act } from '../screen/act.ts'

describe('open_app', () => {
  test('opens the application and waits until it is in front', async () => {
    const { driver, data, elapsedMs } = await act(
      { type: 'open_app', params: { applicationId: 'com.example' } },
      {
        uiAt: clock => {
          const at = clock.now() + 3_000
          return { front: () => (clock.now() < at ? 'launcher' : 'com.example') }
        },
      },
    )
    expect(driver.deeds()).toEqual([['openApp', 'com.example']])
    expect(data).toEqual({ application_id: 'com.example' })
    expect(elapsedMs).toBeGreaterThanOrEqual(3_000)
    expect(elapsedMs).toBeLessThan(3_300)
  })

  test('does not look for it when the wait is skipped', async () => {
    const params = { applicationId: 'com.example', skipNavigationWait: true }
    const { driver, data } = await act({ type: 'open_app', params }, { ui: { front: () => 'launcher' } })
    expect(driver.calls).toEqual([['openApp', 'com.example']])
    expect(data).toEqual({ application_id: 'com.example' })
  })

  test.each([
    { given: {}, ms: 15_000 },
    { given: { navigationTimeoutMs: 1_000 }, ms: 1_000 },
  ])('gives up after $ms ms', async ({ given, ms }) => {
    const params = { applicationId: 'com.example', ...given }
    const { data, elapsedMs } = await act({ type: 'open_app', params }, { ui: { front: () => 'launcher' } })
    expect(data).toEqual({
      error: 'NAVIGATION_TIMEOUT',
      message: 'com.example did not come to the front; launcher is in front',
    })
    expect(elapsedMs).toBe(ms)
  })

  test('knows an application that is not there', async () => {
    const { data, driver } = await act({ type: 'open_app', params: { applicationId: 'com.nothing' } })
    expect(data).toMatchObject({ error: 'APP_NOT_FOUND' })
    expect(driver.calls).toHaveLength(1)
  })
})

describe('open_uri', () => {
  test('opens it', async () => {
    const { data, driver } = await act({ type: 'open_uri', params: { uri: 'https://example.org/?a=b&c' } })
    expect(data).toEqual({ uri: 'https://example.org/?a=b&c' })
    expect(driver.deeds()).toEqual([['openUri', 'https://example.org/?a=b&c']])
  })

  test('knows one that nobody opens', async () => {
    const { data } = await act({ type: 'open_uri', params: { uri: 'x:y' } }, { ui: { refused: new Set(['openUri']) } })
    expect(data).toEqual({ error: 'URI_NOT_HANDLED', message: 'no application opens x:y' })
  })
})
