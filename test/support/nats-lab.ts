/** Real nats-servers that end with a test or a file. For tests in `describe.skipIf(!needs('nats-server'))`. */
import { afterAll, afterEach } from 'vitest'
import { type NatsLab, type NatsLabOptions, startNatsLab } from './nats-servers.ts'

export { type NatsLab, type NatsLabOptions, type NatsLink, startNatsLab } from './nats-servers.ts'

/** A lab for each call; all end with the test, or with the file for those that its tests share. */
export const natsLab = (endsWith: 'test' | 'file' = 'test'): ((options?: NatsLabOptions) => Promise<NatsLab>) => {
  const open: NatsLab[] = []
  const closeAll = async () => {
    await Promise.all(open.splice(0).map(lab => lab.close()))
  }
  if (endsWith === 'test') afterEach(closeAll)
  else afterAll(closeAll)
  return async (options = {}) => {
    const lab = await startNatsLab(options)
    open.push(lab)
    return lab
  }
}
