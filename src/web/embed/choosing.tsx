// The screens on which lenders answer and an offer is chosen, as a chunk of their own.
import { here } from './here.ts'
import { OffersScreen } from './offers.tsx'

here.fetched = { ...here.fetched, SEARCHING: OffersScreen, OFFERS: OffersScreen }
