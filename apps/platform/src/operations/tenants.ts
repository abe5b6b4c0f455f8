// What the command line may do with tenants and their applications.

export { listTenants } from '#platform/integrators/access/tenant/store.ts'
export { createApplication, createTenant, enableProducts } from '#platform/integrators/access/tenant.ts'
