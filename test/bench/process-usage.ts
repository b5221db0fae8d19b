/** What a process holds and has used, as /proc tells it: Linux only. */
import { readdirSync, readFileSync } from 'node:fs'

export interface Usage {
  rssMb: number
  descriptors: number
  threads: number
}

const numberIn = (text: string, name: string): number => Number(new RegExp(`${name}:\\s+(\\d+)`).exec(text)?.[1] ?? 0)

export const usageOf = (pid: number): Usage => {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  return {
    rssMb: numberIn(status, 'VmRSS') / 1_024,
    descriptors: readdirSync(`/proc/${pid}/fd`).length,
    threads: numberIn(status, 'Threads'),
  }
}
