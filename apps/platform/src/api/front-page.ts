// The front page of the platform: where its readers begin.

import { frontRoutes, operationLinks } from '@lendloom/http/front-page'
import type { Context } from '#platform/context.ts'
import { version } from './reference/openapi.ts'

export const frontPage = frontRoutes<Context>(({ config: { SANDBOX } }) => ({
  title: 'Lendloom',
  about:
    'The platform that connects apps that offer credit with lenders. Borrowers start in the app where they found the offer and continue there until the money arrives.',
  groups: [
    {
      title: 'For app developers',
      links: [
        ...(SANDBOX
          ? [{ href: '/demo', text: 'Demo', about: 'An app that offers credit, next to its server: start here' }]
          : []),
        { href: '/docs/guide/', text: 'Guides', about: 'Quickstarts for Node and Python, and a page for every task' },
        { href: '/docs', text: 'API reference', about: `Every call that an app can make, version ${version}` },
        { href: '/openapi.json', text: 'OpenAPI', about: 'The same API as a document, to generate a client' },
      ],
    },
    {
      title: 'For lenders',
      links: [
        { href: '/docs/partner-exchange', text: 'Partner exchange', about: 'For lenders outside the open network' },
      ],
    },
    {
      title: 'For staff and operators',
      links: [
        {
          href: '/console',
          text: 'Console',
          about: 'Journeys, webhooks, complaints, keys and people; sign-in required',
        },
        ...operationLinks,
      ],
    },
  ],
}))
