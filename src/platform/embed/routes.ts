// The door of the hosted page: its document under /lab, and what it asks and does under /api/embed.
import { refused } from '#contract/headless/envelope.ts'
import type { Door } from '#kit/http-server.ts'
import type { World } from '#platform/world.ts'
import { nameAnother, openAggregator } from './aa.ts'
import { accept, bankAccount, decline, open, saveProfile, select, submit, withdraw } from './acts.ts'
import { enter, look } from './enter.ts'
import { grievanceRoutes } from './grievance.ts'
import { service } from './servicing.ts'
import { pageAssets, showPages } from './show-page.ts'

export const embedDoor: Door<World> = {
  prefix: '/api/embed',
  routes: [
    enter,
    look,
    saveProfile,
    submit,
    select,
    accept,
    decline,
    open,
    bankAccount,
    withdraw,
    service,
    ...grievanceRoutes,
    openAggregator,
    nameAnother,
  ],
  /** What a borrower sees is for no cache. */
  headers: () => ({ 'cache-control': 'no-store' }),
  refuse: refused,
}

export const pageDoor: Door<World> = { prefix: '/lab', routes: [...showPages, ...pageAssets], refuse: refused }
