export interface City {
  readonly name: string
  readonly country: string
  readonly province: string
  /** Prefix of the postal codes. */
  readonly zip: string
  readonly latitude: number
  readonly longitude: number
  readonly timeZone: string
}

const city = (
  name: string,
  country: string,
  province: string,
  zip: string,
  [latitude, longitude]: readonly [number, number],
  timeZone: string,
): City => ({ name, country, province, zip, latitude, longitude, timeZone })

export const cities: readonly City[] = [
  city('Paris', 'France', 'Île-de-France', '750', [48.8566, 2.3522], 'Europe/Paris'),
  city('Bordeaux', 'France', 'Gironde', '330', [44.8378, -0.5792], 'Europe/Paris'),
  city('Strasbourg', 'France', 'Bas-Rhin', '670', [48.5734, 7.7521], 'Europe/Paris'),
  city('Nîmes', 'France', 'Gard', '300', [43.8367, 4.3601], 'Europe/Paris'),
  city('Madrid', 'Spain', 'Madrid', '280', [40.4168, -3.7038], 'Europe/Madrid'),
  city('Málaga', 'Spain', 'Málaga', '290', [36.7213, -4.4214], 'Europe/Madrid'),
  city('A Coruña', 'Spain', 'A Coruña', '150', [43.3623, -8.4115], 'Europe/Madrid'),
  city('Las Palmas', 'Spain', 'Las Palmas', '350', [28.1235, -15.4363], 'Atlantic/Canary'),
  city('Bristol', 'United Kingdom', 'Bristol', 'BS1 ', [51.4545, -2.5879], 'Europe/London'),
  city('Edinburgh', 'United Kingdom', 'Scotland', 'EH1 ', [55.9533, -3.1883], 'Europe/London'),
  city('Montréal', 'Canada', 'Québec', 'H2X ', [45.5017, -73.5673], 'America/Toronto'),
  city('Boston', 'United States', 'Massachusetts', '021', [42.3601, -71.0589], 'America/New_York'),
]
