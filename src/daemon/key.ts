/** Section Daemon rules: the key of a daemon, made of the raw `--device` value before any device is looked at. */

const DEFAULT_KEY = 'default'

/** Base64url keeps similar serials apart, and fits into a file name whatever the serial holds. */
export const daemonKey = (device: string | undefined): string => {
  const raw = rawDeviceId(device)
  return raw === '' ? DEFAULT_KEY : `id-${Buffer.from(raw).toString('base64url')}`
}

/** As it is kept in the metadata: empty for the default daemon. */
export const rawDeviceId = (device: string | undefined): string => (device?.trim() ? device : '')
