// GET /api/lab/features: the products that are enabled for the key's application.

import { Closed, OneOf, Type } from '@lendloom/foundation/schema'
import { productIds } from '@lendloom/lending/product/products'
import { route } from '#platform/context.ts'
import { apiKey } from '#platform/integrators/access/api-key.ts'
import { findApplication } from '#platform/integrators/access/tenant/store.ts'

const Features = Closed({
  tenant_id: Type.String(),
  application_id: Type.String(),
  products: Type.Array(Closed({ type: OneOf(productIds), enabled: Type.Boolean() })),
})

export const featuresRoute = route({
  method: 'GET',
  path: '/api/lab/features',
  section: 'D1 §1',
  operationId: 'listFeatures',
  summary: 'List the products and whether each is enabled for the application',
  auth: apiKey('sessions'),
  reply: { 200: Features },
  async handle({ who }, { db }) {
    const application = await findApplication(db, who.tenantId, who.applicationId)
    return {
      tenant_id: who.tenantId,
      application_id: who.applicationId,
      products: productIds.map((type) => ({ type, enabled: application?.products.includes(type) ?? false })),
    }
  },
})
