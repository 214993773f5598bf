// Phrases for synthetic texts. They agree in gender and number in every combination.

export type Language = 'en' | 'fr' | 'es'

export interface Words {
  /** Kinds of events, which titles start with. Kinds, themes, houses and hosts have the same order in all languages. */
  readonly kinds: readonly string[]
  /** Themes of events. */
  readonly themes: readonly string[]
  readonly with: string
  readonly subjects: readonly string[]
  readonly verbs: readonly string[]
  readonly objects: readonly string[]
  readonly moments: readonly string[]
  /** Kinds of venues. */
  readonly houses: readonly string[]
  /** Kinds of organizers. */
  readonly hosts: readonly string[]
}

const list = (text: string): string[] => text.split('|').map((item) => item.trim())

const english: Words = {
  kinds: list(`Concert|Exhibition|Workshop|Reading|Guided tour|Film night|Lecture|Dance evening|Open day|Family show|
    Story hour|Jazz session|Choir recital|Puppet theatre|Craft fair|Debate|Masterclass|Walk|Premiere|Festival`),
  themes: list(`Songs of the river|The city at night|Voices of the harbour|Gardens and stones|A winter journey|
    Letters from the sea|The art of silence|Colours of the south|Bread and roses|Stories of the old town|
    The invisible forest|Clay and glass|Between two shores|Light on the water|Rhythms of the street|The last summer|
    Maps and travellers|The birds of the marsh|Machines and dreams|Women of science|The forgotten orchestra|
    Seeds for tomorrow|A house of paper|The long march of ideas|Mountains without borders`),
  with: 'with',
  subjects: list(`The company|A quartet from the region|Our guests|Young musicians|The museum's curators|
    Two storytellers|The association|Volunteers of the district|An actress and a pianist|The festival team|
    Researchers from the university|The choir of the conservatory|A collective of artists|Local craftspeople|
    The gardeners of the park|Neighbours of every age`),
  verbs: list(`will present|will explore|will bring to life|will share with the audience|will invite you to discover|
    will rework|will celebrate|will tell the story of|will open the doors to|will look back at|will put on stage|
    will revisit|will shed new light on|will pay tribute to`),
  objects: list(`a repertoire that crosses four centuries|the hidden courtyards of the old town|
    a little-known chapter of local history|works that have never been shown before|the craft of bookbinding|
    the sounds of the Atlantic coast|photographs found in an attic|the plants that grow along the railway|
    a comedy about family and forgiveness|the great ballads of the thirties|recipes handed down for generations|
    the mechanics of the astronomical clock|short films from around the world|poems translated for the first time|
    the life of a lighthouse keeper|masks, costumes and instruments of carnival`),
  moments: list(`in an intimate setting|for one evening only|before a conversation with the audience|
    with free admission for children under twelve|in sign language as well|rain or shine|
    after three years of research|in the light of a hundred candles|with a glass of local juice|
    in partnership with the public library|as part of the cultural season|by the banks of the canal`),
  houses: list(`Theatre|Cultural centre|Concert hall|Library|Gallery|Town hall|Museum|Chapel|Market hall|Cinema`),
  hosts: list(`Friends of|Association of|Festival of|Collective|Foundation|Academy of|Society of|Workshop of`),
}

const french: Words = {
  kinds: list(`Concert|Exposition|Atelier|Lecture|Visite guidée|Soirée cinéma|Conférence|Soirée dansante|
    Portes ouvertes|Spectacle familial|Heure du conte|Session de jazz|Récital de chœur|Théâtre de marionnettes|
    Marché artisanal|Débat|Classe de maître|Balade|Première|Festival`),
  themes: list(`Chansons de la rivière|La ville, la nuit|Les voix du port|Jardins et pierres|Un voyage d'hiver|
    Lettres de la mer|L'art du silence|Couleurs du Midi|Du pain et des roses|Histoires de la vieille ville|
    La forêt invisible|L'argile et le verre|Entre deux rives|Lumière sur l'eau|Rythmes de la rue|Le dernier été|
    Cartes et voyageurs|Les oiseaux du marais|Machines et rêves|Femmes de science|L'orchestre oublié|
    Semences pour demain|Une maison de papier|La longue marche des idées|Montagnes sans frontières`),
  with: 'avec',
  subjects: list(`La compagnie|Un quatuor de la région|L'équipe du musée|Une conteuse et son complice|L'association|
    Un collectif d'artistes|Le chœur du conservatoire|Une comédienne accompagnée d'un pianiste|L'équipe du festival|
    Un groupe de chercheurs|Une troupe venue de Bretagne|L'atelier des métiers d'art|Le cercle des jardiniers|
    La médiathèque du quartier|Notre invitée d'honneur|Un ensemble de jeunes interprètes`),
  verbs: list(`présente|explore|fait revivre|partage avec le public|invite à découvrir|réinvente|célèbre|raconte|
    ouvre les portes sur|éclaire d'un jour nouveau|met en scène|revisite|donne à entendre|rend accessible à chacun`),
  objects: list(`un répertoire qui traverse quatre siècles|les cours cachées de la vieille ville|
    un chapitre méconnu de l'histoire locale|des œuvres jamais montrées auparavant|le métier de relieur|
    les sonorités de la côte atlantique|des photographies retrouvées dans un grenier|
    les plantes qui poussent le long de la voie ferrée|une comédie sur la famille et le pardon|
    les grandes ballades des années trente|des recettes transmises de génération en génération|
    la mécanique de l'horloge astronomique|des courts métrages du monde entier|
    des poèmes traduits pour la première fois|la vie d'un gardien de phare|
    des masques, des costumes et des instruments de carnaval`),
  moments: list(`dans un cadre intimiste|pour une soirée exceptionnelle|avant un échange avec le public|
    avec entrée libre pour les moins de douze ans|également en langue des signes|par tous les temps|
    après trois années de recherche|à la lueur de cent bougies|autour d'un verre de jus du pays|
    en partenariat avec la bibliothèque|dans le cadre de la saison culturelle|au bord du canal`),
  houses: list(`Théâtre|Centre culturel|Salle de concert|Bibliothèque|Galerie|Hôtel de ville|Musée|Chapelle|Halle|
    Cinéma`),
  hosts: list(`Les amis de|Association de|Festival de|Collectif|Fondation|Académie de|Société de|Atelier de`),
}

const spanish: Words = {
  kinds: list(`Concierto|Exposición|Taller|Lectura|Visita guiada|Noche de cine|Conferencia|Velada de baile|
    Puertas abiertas|Espectáculo familiar|Hora del cuento|Sesión de jazz|Recital de coro|Teatro de títeres|
    Feria de artesanía|Debate|Clase magistral|Paseo|Estreno|Festival`),
  themes: list(`Canciones del río|La ciudad de noche|Las voces del puerto|Jardines y piedras|Un viaje de invierno|
    Cartas desde el mar|El arte del silencio|Colores del sur|Pan y rosas|Historias del casco antiguo|
    El bosque invisible|Barro y vidrio|Entre dos orillas|Luz sobre el agua|Ritmos de la calle|El último verano|
    Mapas y viajeros|Los pájaros de la marisma|Máquinas y sueños|Mujeres de ciencia|La orquesta olvidada|
    Semillas para mañana|Una casa de papel|La larga marcha de las ideas|Montañas sin fronteras`),
  with: 'con',
  subjects: list(`La compañía|Un cuarteto de la región|El equipo del museo|Una narradora y su cómplice|La asociación|
    Un colectivo de artistas|El coro del conservatorio|Una actriz acompañada al piano|El equipo del festival|
    Un grupo de investigación|Una compañía venida de Galicia|El taller de oficios|El círculo de jardinería|
    La biblioteca del barrio|Nuestra invitada de honor|Un conjunto de jóvenes intérpretes`),
  verbs: list(`presenta|explora|da nueva vida a|comparte con el público|invita a descubrir|reinventa|celebra|cuenta|
    abre las puertas a|arroja nueva luz sobre|lleva a escena|revisita|rinde homenaje a|acerca a todo el mundo`),
  objects: list(`un repertorio que atraviesa cuatro siglos|los patios escondidos del casco antiguo|
    un capítulo poco conocido de la historia local|obras que nunca se habían mostrado|el oficio de encuadernar|
    los sonidos de la costa atlántica|fotografías halladas en un desván|
    las plantas que crecen junto a la vía del tren|una comedia sobre la familia y el perdón|
    las grandes baladas de los años treinta|recetas transmitidas de generación en generación|
    la mecánica del reloj astronómico|cortometrajes de todo el mundo|poemas traducidos por primera vez|
    la vida de un farero|máscaras, trajes e instrumentos de carnaval`),
  moments: list(`en un ambiente íntimo|por una única noche|antes de un coloquio con el público|
    con entrada libre para menores de doce años|también en lengua de signos|llueva o haga sol|
    tras tres años de investigación|a la luz de cien velas|con una copa de zumo del país|
    en colaboración con la biblioteca|dentro de la temporada cultural|a orillas del canal`),
  houses: list(`Teatro|Centro cultural|Sala de conciertos|Biblioteca|Galería|Ayuntamiento|Museo|Capilla|Mercado|Cine`),
  hosts: list(`Amigos de|Asociación de|Festival de|Colectivo|Fundación|Academia de|Sociedad de|Taller de`),
}

export const words: Readonly<Record<Language, Words>> = { en: english, fr: french, es: spanish }

export const firstNames = list(`Léa|José|Inés|André|Zoë|Noël|Lucía|René|María|Hélène|Íñigo|Chloé|Martín|Agnès|Óscar|
  Élise|Raúl|Sofía|Émile|Begoña|Oliver|Grace|Harriet|Miles|Edith|Arthur|Núria|Loïc|Maëlle|Andrés|Joséphine|Tomás|
  Rosalind|Basile|Amparo|Fleur|Hugo|Irène|Joaquín|Nell`)

export const lastNames = list(`Martin|García|Lefèvre|Núñez|O'Brien|Dubois|Muñoz|Whitaker|Gómez|Béranger|Peña|Hughes|
  Châtelain|Ibáñez|Moreau|Ashworth|Le Goff|Domínguez|François|Pritchard|Vázquez|Garnier|Holloway|Sáenz|Étienne|Marlowe|
  Iñárritu|Delacroix|Fernández|Sørensen|Müller|Carvalho|Thibault|Echeverría|Gauthier|Bianchi|Novák|Lindqvist|Öztürk|
  Keller|Aubry|Castaño|Renaud|Bertrand|Solís|Whitfield|Páez|Rousseau|Ortuño|Langlois`)
