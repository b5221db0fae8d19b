/** The headers between the hosts of a fleet, in the lower case in which they are read. Only a private listener believes them. */

/** Another host sent the request here: this host answers it and sends it no further. */
export const FLEET_FROM_HEADER = 'svc-fleet-from'
/** The epoch under which the sender took this host for the owner of the phone. */
export const FLEET_EPOCH_HEADER = 'svc-fleet-epoch'
/** A client of the fleet sent the request: it fetches pictures itself and writes them on its own machine. */
export const FLEET_PICTURES_HEADER = 'svc-fleet-pictures'
/** The host that gave the answer. */
export const FLEET_HOST_HEADER = 'Svc-Host'
