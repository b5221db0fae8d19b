/** Real nats-servers that end with a test or a file. For tests in `describe.skipIf(!needs('nats-server'))`. */
import { afterAll } from 'vitest'
import { testEnd } from '../per-test.ts'
import { type NatsLab, type NatsLabOptions, startNatsLab } from './nats-servers.ts'

export { type NatsLab, type NatsLabOptions, type NatsLink, startNatsLab } from './nats-servers.ts'

const fileEnd = (): ((step: () => unknown) => void) => {
  const steps: (() => unknown)[] = []
  afterAll(async () => {
    for (const step of steps) await step()
  })
  return step => void steps.push(step)
}

/** A lab for each call; all end with the test, or with the file for those that its tests share. */
export const natsLab = (endsWith: 'test' | 'file' = 'test'): ((options?: NatsLabOptions) => Promise<NatsLab>) => {
  const atEnd = endsWith === 'test' ? testEnd() : fileEnd()
  return async (options = {}) => {
    const lab = await startNatsLab(options)
    atEnd(() => lab.close())
    return lab
  }
}
