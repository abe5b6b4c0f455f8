// Chunk with the screens that show the lenders' answers and let the borrower choose an offer.

import { OffersScreen } from './offers/offers.tsx'
import { page } from './page/page-state.ts'

page.screens = { ...page.screens, SEARCHING: OffersScreen, OFFERS: OffersScreen }
