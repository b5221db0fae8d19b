/** The headers between the hosts of a fleet, in the lower case in which they are read. Only a private listener believes them. */

/** Of a request that another host sent here: it is for this host and goes no further. */
export const FLEET_FROM_HEADER = 'svc-fleet-from'
/** Of the same: the epoch under which this host was taken for the owner of the phone. */
export const FLEET_EPOCH_HEADER = 'svc-fleet-epoch'
/** Of a request of a client: it fetches the pictures itself, and writes them on its own machine. */
export const FLEET_PICTURES_HEADER = 'svc-fleet-pictures'
/** Of an answer: the host that gave it. */
export const FLEET_HOST_HEADER = 'Svc-Host'
