/** The key under which a device is owned: a phone that is seen over USB and over Wi-Fi is one device. */
import type { CallOptions, Link } from './link.ts'

export type LeaseBy = 'hardware-serial' | 'adb-serial'

/** SVC_LEASE_BY: phones that share a hardware serial are told apart by how the debug bridge lists them. */
export const leaseByOf = ({ SVC_LEASE_BY }: { SVC_LEASE_BY?: string | undefined }): LeaseBy =>
  SVC_LEASE_BY === 'adb-serial' ? 'adb-serial' : 'hardware-serial'

export const deviceLeaseKey = async (link: Link, leaseBy: LeaseBy, options: CallOptions): Promise<string> =>
  `device:${leaseBy === 'adb-serial' ? link.serial : await link.hardwareSerial(options)}`
