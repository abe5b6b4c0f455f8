// The screens for lenders' answers and the choice of an offer, as a separate chunk.

import { OffersScreen } from './offers/offers.tsx'
import { here } from './page/here.ts'

here.fetched = { ...here.fetched, SEARCHING: OffersScreen, OFFERS: OffersScreen }
