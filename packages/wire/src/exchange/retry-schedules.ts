// Retry schedules for events and files that the other side did not accept (D3 §8).
import { schedule } from '@lendloom/foundation/schedule'

/** After the last pause the sender alerts operators and keeps the event for a replay. */
export const eventSchedule = schedule(['PT1M', 'PT5M', 'PT15M', 'PT1H', 'PT4H'], 'give up')

/** A required file is retried without end, with the last pause. */
export const fileSchedule = schedule(eventSchedule.pauses, 'repeat')
