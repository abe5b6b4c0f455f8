// The look-up of the state and city of a PIN code while the borrower types. Nothing is stored.

import { Closed, Type } from '@lendloom/foundation/schema'
import { pincodePattern } from '@lendloom/wire/identifier'
import { PincodePlace, placeOfPincode } from '@lendloom/wire/pincode-place'
import { route } from '#platform/context.ts'
import { embedSession } from '#platform/integrators/access/embed-session.ts'

export const pincodePlace = route({
  method: 'GET',
  path: '/api/embed/pincode/{pincode}',
  section: 'D1 §2.1',
  summary: 'Look up the state and city of a PIN code',
  auth: embedSession,
  hidden: true,
  params: Closed({ pincode: Type.String({ pattern: pincodePattern, 'x-says': 'must be a PIN code' }) }),
  reply: { 200: PincodePlace },
  handle: ({ params }) => placeOfPincode(params.pincode),
})
