/** The machines whose actors the contract speaks of. The journal also keeps streams that are not actors. */
export const MACHINE_NAMES = [
  'device',
  'dispatch',
  'daemon',
  'emulator',
  'provision',
  'membership',
  'ownership',
  'skill-run',
] as const

export const isActor = ({ machine }: { machine: string }): boolean => MACHINE_NAMES.some(name => name === machine)
