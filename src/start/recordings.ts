/** Constructs the recorder of screens: its ports for the host, and what routes and commands ask. */

import type { Host } from '../runtime/host.ts'
import type { Journal } from '../runtime/journal/journal.ts'
import { deadlinePort, type Ports } from '../runtime/port.ts'
import type { RecordingDeps } from '../service/recordings/deps.ts'
import { finishPort } from '../service/recordings/finish-port.ts'
import { recordPort } from '../service/recordings/record-port.ts'
import { createRecordings } from '../service/recordings/recordings.ts'

interface RecordingPartsOptions
  extends Pick<RecordingDeps, 'clock' | 'ids' | 'home' | 'leaseBy' | 'links' | 'mayRecord'> {
  host: () => Host
  journal: () => Journal
}

export const recordingParts = ({ host, journal, ...parts }: RecordingPartsOptions) => {
  const deps: RecordingDeps = {
    ...parts,
    // The host is made with these ports, so both are looked up when they are needed.
    get host() {
      return host()
    },
    get journal() {
      return journal()
    },
  }
  const ports: Ports = { record: recordPort(deps), finish: finishPort(deps), deadline: deadlinePort(deps.clock) }
  return { ports: { recording: ports }, create: () => createRecordings(deps) }
}
