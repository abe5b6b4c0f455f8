// The OpenAPI document at /openapi.json, and a page at /docs that reads it.
import swaggerUi from '@fastify/swagger-ui'
import type { FastifyInstance } from 'fastify'

export async function apiPages(app: FastifyInstance, api: Record<string, unknown>): Promise<void> {
  app.get('/openapi.json', { logLevel: 'silent' }, () => api)
  // The page asks its framework for the document by this name.
  app.decorate('swagger', () => api)
  await app.register(swaggerUi, {
    routePrefix: '/docs',
    uiConfig: { docExpansion: 'list', deepLinking: true, defaultModelsExpandDepth: 0, tryItOutEnabled: false },
    theme: { title: 'Lendloom API' },
    staticCSP: true,
  })
}
