/** The reservations of the devices of this host. */
import { failure } from '../../contracts/failures.ts'
import { failed, type Service } from '../service.ts'

type Requests = 'leases.create' | 'leases.extend' | 'leases.end' | 'leases.list'

const unavailable = async () => failed(failure('INTERNAL_ERROR', 'This build of svc keeps no reservations.'))

export const localLeases = (): Pick<Service, Requests> => ({
  'leases.create': unavailable,
  'leases.extend': unavailable,
  'leases.end': unavailable,
  'leases.list': unavailable,
})
