/** Places that are found in texts, and those that replace them. */

/** ISO 3166-1 codes; their names in each language come from Intl.DisplayNames. */
export const countryCodes =
  "DE FR GB US CA ES PT IT NL BE CH AT PL CZ HU RO BG GR TR HR RS BA SI SK UA RU BY LT LV EE FI SE NO DK IE IS AL MK MD MA DZ TN EG NG GH KE ET ZA CM SN CI CD UG TZ ZW RW SY IQ IR AF PK IN BD LK NP CN JP KR VN TH PH ID MY SG AU NZ MX GT CU DO CO VE EC PE BO CL AR UY PY BR IL LB SA AE"

/** Other names of countries, and parts of countries. */
export const countryAliases = [
  "USA",
  "United States of America",
  "UK",
  "Great Britain",
  "England",
  "Scotland",
  "Wales",
  "Northern Ireland",
  "Turkey",
  "Czech Republic",
  "Russia",
  "Ivory Coast",
  "Vietnam",
  "Holland",
]

/** Cities in the spellings of five languages. Without those that are also frequent words or names, such as Essen and Nice. */
export const cities = `Berlin|Hamburg|Munich|München|Múnich|Munique|Cologne|Köln|Colonia|Frankfurt|Stuttgart|Düsseldorf|Leipzig|Dresden|
Dortmund|Hannover|Nürnberg|Nuremberg|Bremen|Bonn|Mannheim|Karlsruhe|Augsburg|Münster|Kiel|Lübeck|Rostock|Freiburg|Potsdam|Mainz|
Kassel|Heidelberg|Wien|Vienna|Viena|Vienne|Graz|Linz|Salzburg|Innsbruck|Zürich|Zurich|Zúrich|Bern|Basel|Genf|Geneva|Genève|Ginebra|
Lausanne|Amsterdam|Rotterdam|Utrecht|Eindhoven|Den Haag|The Hague|Brussels|Brüssel|Bruxelles|Bruselas|Bruxelas|Antwerp|Antwerpen|
Ghent|Gent|Luxembourg|Luxemburg|Paris|París|Lyon|Marseille|Toulouse|Bordeaux|Lille|Strasbourg|Straßburg|Nantes|Rennes|Montpellier|
Grenoble|London|Londres|Manchester|Birmingham|Liverpool|Leeds|Bristol|Glasgow|Edinburgh|Cardiff|Belfast|Sheffield|Newcastle|
Nottingham|Leicester|Dublin|Madrid|Barcelona|Valencia|Sevilla|Seville|Bilbao|Málaga|Zaragoza|Lisbon|Lisboa|Lissabon|Lisbonne|Porto|
Coimbra|Rome|Roma|Milan|Milano|Mailand|Turin|Torino|Naples|Napoli|Neapel|Bologna|Palermo|Athens|Athen|Thessaloniki|Istanbul|İstanbul|
Ankara|Izmir|İzmir|Warsaw|Warschau|Warszawa|Varsovie|Krakow|Kraków|Krakau|Gdańsk|Gdansk|Wrocław|Wroclaw|Poznań|Łódź|Prague|Praha|Prag|
Brno|Bratislava|Budapest|Bucharest|Bukarest|București|Sofia|Belgrade|Beograd|Belgrad|Zagreb|Ljubljana|Sarajevo|Skopje|Tirana|Kyiv|
Kiev|Kiew|Lviv|Kharkiv|Odesa|Odessa|Minsk|Moscow|Moskau|Moscú|Moscou|Saint Petersburg|Vilnius|Riga|Tallinn|Helsinki|Stockholm|Gothenburg|Göteborg|
Malmö|Oslo|Bergen|Trondheim|Copenhagen|København|Kopenhagen|Copenhague|Aarhus|Reykjavik|New York City|New York|Los Angeles|Chicago|
Houston|Dallas|Philadelphia|San Diego|San Francisco|San Jose|Seattle|Boston|Denver|Detroit|Atlanta|Miami|Minneapolis|Baltimore|
Oakland|Cleveland|Pittsburgh|Sacramento|Las Vegas|Brooklyn|Bronx|Harlem|Silicon Valley|Toronto|Montreal|Montréal|Vancouver|Ottawa|
Calgary|Mexico City|Guadalajara|Monterrey|Havana|Havanna|Santo Domingo|Bogotá|Bogota|Medellín|Medellin|Caracas|Quito|Guayaquil|Cusco|
Buenos Aires|Montevideo|Asunción|São Paulo|Sao Paulo|Rio de Janeiro|Brasília|Belo Horizonte|Porto Alegre|Curitiba|Recife|Fortaleza|
Casablanca|Rabat|Marrakesh|Algiers|Tunis|Cairo|Kairo|Alexandria|Lagos|Abuja|Ibadan|Kano|Accra|Kumasi|Nairobi|Mombasa|Addis Ababa|
Kampala|Kinshasa|Dakar|Abidjan|Harare|Johannesburg|Cape Town|Kapstadt|Durban|Pretoria|Damascus|Damaskus|Aleppo|Baghdad|Bagdad|
Tehran|Teheran|Kabul|Karachi|Lahore|Islamabad|Mumbai|Bombay|Delhi|New Delhi|Bangalore|Bengaluru|Hyderabad|Chennai|Kolkata|Pune|Dhaka|
Chittagong|Colombo|Kathmandu|Beijing|Peking|Shanghai|Shenzhen|Guangzhou|Hong Kong|Taipei|Tokyo|Tokio|Osaka|Kyoto|Seoul|Busan|Hanoi|
Hà Nội|Ho Chi Minh City|Saigon|Bangkok|Manila|Cebu|Kuala Lumpur|Melbourne|Brisbane|Perth|Auckland|Wellington|Honolulu|Hilo|Beirut|
Tel Aviv|Jerusalem|Riyadh|Dubai|Abu Dhabi|Doha`

/** Those that replace: cities, and ISO codes of countries. */
export const replacingPlaces = {
  south: {
    cities: ["Ibadan", "Chittagong", "Kinshasa", "Guayaquil", "Lahore", "Kampala", "Cebu", "Tunis", "Cusco", "Abidjan"],
    countries: ["NG", "BD", "CD", "EC", "PK", "UG", "PH", "TN", "PE", "CI"],
  },
  north: {
    cities: [
      "Oslo",
      "Boston",
      "Geneva",
      "Toronto",
      "Stockholm",
      "Amsterdam",
      "Melbourne",
      "Vienna",
      "Dublin",
      "Seattle",
    ],
    countries: ["NO", "US", "CH", "CA", "SE", "NL", "AU", "AT", "IE", "DK"],
  },
} as const
