/** All connectors, by hiring system. */
import type { Connector } from "./Connector.ts"
import { GreenhouseConnector } from "./GreenhouseConnector.ts"
import type { HiringSystem } from "./HiringSystem.ts"

export const connectors: Readonly<Record<HiringSystem, Connector>> = { greenhouse: GreenhouseConnector }
