/** Does to a trial what its plan says beside the kills, and ends when it is over. */
import { setTimeout as pause } from 'node:timers/promises'
import { kill } from './home-processes.ts'
import type { Trouble } from './plan-troubles.ts'
import type { World } from './world.ts'

type Pick = (count: number) => number

/** What it was done to; undefined when there was nothing to do it to. */
const doTo = async (world: World, trouble: Trouble, pick: Pick): Promise<string | undefined> => {
  const { around, links, serials } = world
  const away = () => pause(trouble.forMs)
  switch (trouble.does) {
    case 'freeze': {
      const victim = world.victim(trouble, pick)
      if (!victim || !kill(victim.process.pid, 'SIGSTOP')) return undefined
      await away()
      kill(victim.process.pid, 'SIGCONT')
      return victim.process.kind
    }
    case 'signal': {
      const victim = world.victim(trouble, pick)
      const death = victim && (await world.kill(victim, trouble.signal))
      if (!death) return undefined
      await away()
      if (victim.server?.isUp() === false) await victim.server.start()
      return `${trouble.signal} ${victim.process.kind}`
    }
    case 'cut':
      links.cut(trouble.device, trouble.how)
      await away()
      links.heal(trouble.device)
      return `${serials[trouble.device]} ${trouble.how}`
    case 'slow':
      links.slow(trouble.device, trouble.byMs)
      await away()
      links.slow(trouble.device, 0)
      return `${serials[trouble.device]} by ${trouble.byMs} ms`
    case 'fill-disk':
      around.fillDisk()
      await away()
      around.emptyDisk()
      return 'the home'
    case 'move-clock':
      around.moveClock(trouble.byMs)
      await away()
      around.moveClock(0)
      return `by ${trouble.byMs} ms, and back`
    case 'restart-adb':
      await around.restartAdb(serials, away)
      return 'the server'
  }
}

export const suffer = async (world: World, trouble: Trouble, pick: Pick): Promise<void> => {
  await pause(trouble.atMs)
  const at = Date.now()
  const what = await doTo(world, trouble, pick)
  if (what !== undefined) world.suffered.push({ at, until: Date.now(), kind: trouble.does, what })
}
