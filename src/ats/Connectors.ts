/** All connectors, by hiring system. */
import { AshbyConnector } from "./AshbyConnector.ts"
import type { Connector } from "./Connector.ts"
import { GreenhouseConnector } from "./GreenhouseConnector.ts"
import { HiBobConnector } from "./HiBobConnector.ts"
import type { HiringSystem } from "./HiringSystem.ts"
import { KomboConnector } from "./KomboConnector.ts"
import { RecruiteeConnector } from "./RecruiteeConnector.ts"
import { TeamtailorConnector } from "./TeamtailorConnector.ts"
import { WorkableConnector } from "./WorkableConnector.ts"

export const connectors: Readonly<Record<HiringSystem, Connector>> = {
  greenhouse: GreenhouseConnector,
  ashby: AshbyConnector,
  kombo: KomboConnector,
  workable: WorkableConnector,
  teamtailor: TeamtailorConnector,
  recruitee: RecruiteeConnector,
  hibob: HiBobConnector,
}
