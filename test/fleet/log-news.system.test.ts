/** A reader of the log is woken by the news of a message, and believes no news for long. */
import { describe, expect, test } from 'vitest'
import { listenForNews, tellNews } from '../../src/fleet/log/log-news.ts'
import { namesOf } from '../../src/fleet/servers/names.ts'
import { systemClock } from '../../src/runtime/clock.ts'

const clock = systemClock()
const names = namesOf('f')
const LONG_MS = 5_000

type Nc = Parameters<typeof tellNews>[0]['nc']

/** Servers that hand on each message to whoever listens. */
const servers = () => {
  const listeners: ((text: string) => void)[] = []
  const nc = {
    publish: (_: string, data: string) => {
      for (const hear of listeners) hear(data)
    },
    subscribe: (_: string, { callback }: { callback(error: null, message: { string(): string }): void }) => {
      listeners.push(text => callback(null, { string: () => text }))
      return { unsubscribe: () => {} }
    },
  }
  return nc as unknown as Nc
}

const { signal } = new AbortController()
const took = async (work: Promise<void>): Promise<number> => {
  const begun = clock.elapsed()
  await work
  return clock.elapsed() - begun
}

describe('news of the log', () => {
  test('end the wait of a reader that has no such message yet', async () => {
    const nc = servers()
    const news = listenForNews({ nc, names }, clock)
    const waited = took(news.more(7, LONG_MS, signal))
    tellNews({ nc, names }, 'a', 8)
    expect(await waited).toBeLessThan(LONG_MS / 2)
    expect(await took(news.more(7, LONG_MS, signal))).toBeLessThan(LONG_MS / 2)
  })

  test('are no reason to look again for a message that was read, or that never comes', async () => {
    const nc = servers()
    const news = listenForNews({ nc, names }, clock)
    tellNews({ nc, names }, 'a', 8)
    expect(await took(news.more(8, 60, signal))).toBeGreaterThan(50)
    tellNews({ nc, names }, 'a', 1_000_000)
    for (const until = clock.elapsed() + 150; clock.elapsed() < until; ) await news.more(8, 10, signal)
    expect(await took(news.more(8, 60, signal))).toBeGreaterThan(50)
  })

  test('a beat, and what nobody understands, are no news', async () => {
    const nc = servers()
    const news = listenForNews({ nc, names }, clock)
    const waited = took(news.more(7, 60, signal))
    for (const text of ['{"instance":"i","revision":9,"head":1,"mirrored":1,"busy":[]}', '{"log":-1}', 'log']) {
      nc.publish(names.beat('a'), text)
    }
    expect(await waited).toBeGreaterThan(50)
  })
})
