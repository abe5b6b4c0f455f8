// The doors that the lending partner, the providers and its borrowers come to.
import { refusedExchange } from '#contract/exchange/error.ts'
import type { Door } from '#kit/http-server.ts'
import type { World } from '#platform/world.ts'
import { callbacks } from './checks/callback.ts'
import { verifyPage } from './checks/page.ts'
import { sendClaim, showClaimPage } from './claim-page.ts'
import { indicativePrefix } from './indicative-link.ts'
import { keyFactsPage, termsPage } from './indicative-pages.ts'
import { page } from './page.ts'
import { exchangeDocument, webhook } from './webhook.ts'

const partnerDoor: Door<World> = {
  prefix: '/api/partner',
  routes: [webhook, exchangeDocument],
  refuse: refusedExchange,
}
const providerDoor: Door<World> = { prefix: '/api/provider', routes: callbacks, refuse: refusedExchange }

/** Borrowers' browsers come here, so a refusal is a page. */
const borrowerDoor = (prefix: string, routes: Door<World>['routes']): Door<World> => ({
  prefix,
  routes,
  refuse(refusal, arrival) {
    const { status } = refusedExchange(refusal, arrival)
    const what = refusal === 'bug' ? 'Something went wrong on our side.' : 'There is nothing to do here at the moment.'
    return page('Nothing to do here', `${what} Please go back to your app and continue from there.`, { status })
  },
})

/** What exists only where there is a lending partner. */
export const partnerDoors: Door<World>[] = [
  partnerDoor,
  providerDoor,
  borrowerDoor('/verify', [verifyPage]),
  borrowerDoor(indicativePrefix, [keyFactsPage, termsPage]),
  borrowerDoor('/repay', [showClaimPage, sendClaim]),
]
