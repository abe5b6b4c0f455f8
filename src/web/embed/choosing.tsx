// The screens on which lenders answer and an offer is chosen, as a chunk of their own.

import { OffersScreen } from './offers/offers.tsx'
import { here } from './page/here.ts'

here.fetched = { ...here.fetched, SEARCHING: OffersScreen, OFFERS: OffersScreen }
