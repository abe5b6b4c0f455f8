// The ids in the paths of the headless API.

import { Closed, Uuid } from '@lendloom/foundation/schema'

export const JourneyParams = Closed({ journeyID: Uuid })
export const OfferParams = Closed({ journeyID: Uuid, offerID: Uuid })
export const AaSessionParams = Closed({ journeyID: Uuid, aaSessionID: Uuid })
export const OperationParams = Closed({ journeyID: Uuid, operationID: Uuid })
