// The states of a webhook delivery, without schema imports, because browsers load them.

/**
 * PENDING: due, being sent, or waiting for another try · DELIVERED: the receiver accepted it · EXHAUSTED: given up ·
 * STOPPED: the endpoint was removed or disabled.
 */
export const deliveryStates = ['PENDING', 'DELIVERED', 'EXHAUSTED', 'STOPPED'] as const
export type DeliveryState = (typeof deliveryStates)[number]
