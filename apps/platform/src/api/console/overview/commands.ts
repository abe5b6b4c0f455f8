// The commands about saved views and figures.

import type { RouteCommand } from '#platform/api/console/route-command.ts'

const ofViews = {
  tenantId: 'tenant whose users see the views (default: platform users)',
  list: 'list that the view filters',
  filters: 'filter of the list, such as status=OFFERED; may be repeated',
  isShared: 'share the view with colleagues',
}

const windowAbout = {
  tenantId: 'tenant (default: all)',
  applicationId: 'application (default: all)',
  product: 'product (default: all)',
  range: 'period (default: 7d)',
  from: 'first day of a custom period, such as 2026-11-01',
  to: 'last day of a custom period (default: today)',
  step: 'interval of a series (default: day)',
}

export const overviewCommands: Readonly<Record<string, RouteCommand>> = {
  'GET /views': {
    name: 'views list',
    summary: 'list your saved views and those that colleagues share',
    allTenants: true,
    about: ofViews,
    columns: {
      NAME: 'name',
      LIST: 'list',
      FILTERS: 'filters',
      SHARED: 'isShared',
      BY: 'by',
      ID: 'viewId',
    },
    blanks: { BY: 'command line' },
    none: 'No view is saved.',
  },
  'POST /views': {
    name: 'views save',
    summary: 'save filters of a list as a view; --shared shows it to colleagues',
    args: ['name'],
    allTenants: true,
    about: ofViews,
    done: 'saved {name} of {list}\n{viewId}',
  },
  'PATCH /views/{viewId}': {
    name: 'views change',
    summary: 'change the name, the filters or the sharing of a view',
    allTenants: true,
    about: {
      ...ofViews,
      name: 'new name',
    },
    done: 'saved {name} of {list}\n{viewId}',
  },
  'DELETE /views/{viewId}': {
    name: 'views delete',
    summary: 'delete a view',
    allTenants: true,
    about: ofViews,
    done: 'The view is deleted.',
  },
  'GET /overview': {
    name: 'figures show',
    summary: 'show the figures of a period: journeys, offers, deliveries, lenders, partner events',
    allTenants: true,
    about: windowAbout,
  },
  'GET /overview/{file}': {
    name: 'figures csv',
    summary: 'print one figure as CSV, such as journeys.csv',
    allTenants: true,
    about: windowAbout,
    answersFile: true,
  },
  'GET /attention': {
    name: 'figures attention',
    summary: 'list what needs attention now',
    allTenants: true,
    columns: {
      WHAT: 'kind',
      COUNT: 'count',
      SINCE: 'since',
      ENDPOINT: 'endpoint.url',
    },
    none: 'Nothing needs attention.',
  },
}
